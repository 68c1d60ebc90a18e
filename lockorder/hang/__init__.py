"""Hung jobs: what their ranks left behind, read into the model of communicators."""
