"""Rules: bearers, traits, rules for a while, periods, and which of several rules comes next."""
