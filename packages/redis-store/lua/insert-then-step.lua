-- Inserts the job that carries the logs of a batch, and takes the step of the batch, in one run. `insert` is the script of
-- BullMQ and `step` that of step-script.ts, each as a function in front of this text (see step.ts).
--
-- Redis does not roll a script back, so the order is the proof: an insert that fails ends the run before anything counts,
-- and the step counts only if the job is there.
--
-- KEYS     those of insert, then those of step
-- ARGV[1]  how many keys insert has
-- ARGV[2]  how many arguments insert has; then come these, then those of step
-- Returns  what step returns

local function part(list, from, to)
  local found = {}
  for i = from, to do found[#found + 1] = list[i] end
  return found
end

local keys, arguments = tonumber(ARGV[1]), tonumber(ARGV[2])
insert(part(KEYS, 1, keys), part(ARGV, 3, arguments + 2))
return step(part(KEYS, keys + 1, #KEYS), part(ARGV, arguments + 3, #ARGV))
