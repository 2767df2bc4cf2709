"""In Panex no exchange of towers of n >= 5 takes fewer than U(n) moves:
a certificate and its checker.
"""
