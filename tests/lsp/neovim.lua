-- Does what an author does, in a real Neovim: waits for findings, jumps, renames, formats, saves; then says what it saw.
local seen = {}
local PATIENCE = 100000

local function wait_for(what, condition)
  if not vim.wait(PATIENCE, condition, 50) then
    seen.failed = "waited in vain for " .. what
    vim.fn.writefile({ vim.json.encode(seen) }, vim.env.TALE_SEEN)
    vim.cmd("cquit 1")
  end
end

local function go_to(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(text, "cW") > 0, text)
end

local function place()
  local line = vim.fn.getline(".")
  return { file = vim.fn.expand("%:t"), line = vim.fn.line("."), text = line }
end

local function errors()
  return #vim.diagnostic.get(nil, { severity = vim.diagnostic.severity.ERROR })
end

vim.cmd("edit rules.tale")
wait_for("findings", function() return errors() > 0 end)
seen.findings = {}
for _, found in ipairs(vim.diagnostic.get(nil)) do
  local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(found.bufnr), ":t")
  table.insert(seen.findings, { file, tostring(found.code), found.lnum, found.col })
end

-- The mistake is mended without saving: the finding goes.
go_to("atlass")
vim.cmd("normal! cwatlas")
wait_for("no errors", function() return errors() == 0 end)
seen.on_disk = table.concat(vim.fn.readfile("rules.tale"), "\n")

go_to("atlas by")
vim.lsp.buf.definition()
wait_for("the jump", function() return vim.fn.expand("%:t") == "kinds.tale" end)
seen.jump = place()

vim.lsp.buf.rename("lexicon")
wait_for("the new name", function() return vim.fn.getline("."):find("lexicon", 1, true) ~= nil end)

vim.cmd("buffer rules.tale")
seen.unsaved = vim.fn.getline(1, "$")
if vim.lsp.buf.format then
  vim.lsp.buf.format({ timeout_ms = PATIENCE })
else
  vim.lsp.buf.formatting_sync(nil, PATIENCE)
end
vim.cmd("wall")
wait_for("no errors at the end", function() return errors() == 0 end)
vim.fn.writefile({ vim.json.encode(seen) }, vim.env.TALE_SEEN)
vim.cmd("qall!")
