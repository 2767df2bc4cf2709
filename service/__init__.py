"""The online half: answers from tables and searches, also over HTTP and in SQL."""
