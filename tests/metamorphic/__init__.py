"""The same program written in another way must have the same findings: see campaign.py."""
