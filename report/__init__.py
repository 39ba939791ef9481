"""What people and tools read: findings, graphs, statistics."""
