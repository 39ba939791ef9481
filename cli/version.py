"""The version of the toolkit, read by the build and by `tale --version`."""

VERSION = "0.1.0"
