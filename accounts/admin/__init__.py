"""The admin's pages of what is done about people: the audit trail, and roles. The pages of players are registered
beside the games, which they show as well."""

from accounts.admin import audit, roles

__all__ = ["audit", "roles"]
