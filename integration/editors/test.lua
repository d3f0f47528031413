-- Drives the language server from neovim: opens a Go file and a JSON document,
-- waits for diagnostics, looks at a hover, applies a code action, types.
-- SHAPEVET is the program, SAMPLES a directory with the files.
local shapevet, samples = os.getenv("SHAPEVET"), os.getenv("SAMPLES")
local patience = 120000 -- milliseconds

local function say(...) io.stdout:write(string.format(...), "\n") end

local function fail(...)
  io.stderr:write(string.format(...), "\n")
  vim.cmd("cquit 1")
end

local exited
local options = {
  name = "shapevet",
  cmd = { shapevet, "lsp" },
  root_dir = samples,
  on_exit = function(code) exited = code end,
}

-- attach has the client serve the current buffer.
local function attach()
  if vim.lsp.start then return vim.lsp.start(options) end -- from neovim 0.8 on
  options.id = options.id or vim.lsp.start_client(options)
  vim.lsp.buf_attach_client(0, options.id)
  return options.id
end

local function wait_for(what, holds)
  if not vim.wait(patience, holds, 20) then fail("never came: %s", what) end
end

local function found(buffer, code)
  return vim.tbl_filter(function(d) return d.code == code end, vim.diagnostic.get(buffer))
end

local function request(client, buffer, method, params)
  local response, problem = client.request_sync(method, params, patience, buffer)
  if problem or response.err then fail("%s: %s", method, vim.inspect(problem or response.err)) end
  return response.result
end

-- check opens a file that has a finding of a rule, and applies its fix.
local function check(name, rule, type_over)
  vim.cmd("edit " .. samples .. "/" .. name)
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_client_by_id(attach())
  local began = vim.loop.hrtime()
  wait_for("diagnostics in " .. name, function() return #found(buffer, rule) > 0 end)
  io.stderr:write(string.format("%s: diagnostics %d ms after opening\n", name, (vim.loop.hrtime() - began) / 1e6))
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    say("%s:%d:%d-%d:%d %s %s", name, d.lnum + 1, d.col + 1, d.end_lnum + 1, d.end_col + 1, vim.diagnostic.severity[d.severity], d.code)
  end

  local d = found(buffer, rule)[1]
  vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local hover = request(client, buffer, "textDocument/hover", place)
  for _, part in ipairs({ rule, "% sure", "**Advice**", "**Seen**" }) do
    if not hover.contents.value:find(part, 1, true) then fail("the hover lacks %q:\n%s", part, hover.contents.value) end
  end

  local actions = request(client, buffer, "textDocument/codeAction", {
    textDocument = place.textDocument,
    range = { start = place.position, ["end"] = place.position },
    context = { diagnostics = {} },
  })
  local preferred
  for _, action in ipairs(actions) do
    say("action %s%s", action.title, action.isPreferred and " (preferred)" or "")
    if action.isPreferred then preferred = preferred or action end
  end
  if not preferred then fail("%s has no preferred action", rule) end

  -- Typing without saving takes the finding away, taking it back brings it back.
  began = vim.loop.hrtime()
  local line = vim.api.nvim_buf_get_lines(buffer, d.lnum, d.lnum + 1, true)[1]
  vim.api.nvim_buf_set_lines(buffer, d.lnum, d.lnum + 1, true, { type_over(line) })
  wait_for("no diagnostics after typing in " .. name, function() return #found(buffer, rule) == 0 end)
  io.stderr:write(string.format("%s: diagnostics %d ms after typing\n", name, (vim.loop.hrtime() - began) / 1e6))
  vim.api.nvim_buf_set_lines(buffer, d.lnum, d.lnum + 1, true, { line })
  wait_for("diagnostics after undoing in " .. name, function() return #found(buffer, rule) > 0 end)

  vim.lsp.util.apply_workspace_edit(preferred.edit, client.offset_encoding)
  vim.cmd("silent write")
  wait_for("no diagnostics after the fix in " .. name, function() return #found(buffer, rule) == 0 end)
  say("%s: fixed", name)
  return client
end

vim.o.swapfile = false
check("store/store.go", "zero-object-id", function(line) return "// " .. line end)
local client = check("books.jsonl", "duplicate-key", function(line) return (line:gsub("pages", "sides", 1)) end)
client.stop()
wait_for("the end of the server", function() return exited ~= nil end)
say("exit %d", exited)
vim.cmd("qall!")
