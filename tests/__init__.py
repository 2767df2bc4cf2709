"""test_X.py tests X; naive.py and the twins in it import nothing of ours."""
