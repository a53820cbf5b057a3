-- What holds for every worker of a sweep, whatever its own files say. Null in a sweep that an earlier version declared, until
-- the first worker or command joins it.

alter table sweep
  -- By model: US$ for a million tokens, {input, output}; null where it has no price.
  add column prices jsonb,
  -- By provider: {requestsPerMinute, tokensPerMinute}, each absent where there is no limit.
  add column limits jsonb;
