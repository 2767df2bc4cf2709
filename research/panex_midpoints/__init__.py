"""The program of the paper of 1983 on Panex, which needs little memory."""
