-- Reads what the step decided about batches whose jobs a worker took. Where no note is, the job means nothing; that is
-- made final here, before the job is completed: a step that is sent again must not count under a batch that is gone.
--
-- KEYS     notes
-- ARGV[1]  seconds for which a batch stays void
-- Returns  the notes, in their order

local notes = {}
for i = 1, #KEYS do
  local note = redis.call('GET', KEYS[i])
  if not note then
    note = '{"v":3,"now":0,"undone":"void","callers":[],"groups":[]}'
    redis.call('SET', KEYS[i], note, 'EX', ARGV[1])
  end
  notes[i] = note
end
return notes
