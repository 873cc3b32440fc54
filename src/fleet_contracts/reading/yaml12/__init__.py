"""A parser that follows the grammar of YAML 1.2.2, for texts that libyaml cannot judge."""
