"""The recursive algorithms of the Magnetic Tower of Hanoi, played move by move."""
