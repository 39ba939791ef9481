"""Bundled packages."""
