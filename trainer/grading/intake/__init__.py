"""What students handed in: found, unpacked within limits, told apart by exercise."""
