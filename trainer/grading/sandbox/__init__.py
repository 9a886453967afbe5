"""Where a submission runs: shut in as well as this machine allows."""
