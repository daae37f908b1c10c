import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openConsole } from './console.ts'

/** Bash's completions for the last of these words, with the script that the program prints. */
function offered(script: string, ...words: string[]): string[] {
  const line = words.map(word => `'${word}'`).join(' ')
  const ask = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _filigree; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

test('bash completes commands, their sub-commands and their flags', async () => {
  const script = await (await openConsole()).ok('completion', 'bash')
  expect(offered(script, 'filigree', 'us')).toEqual(['users'])
  expect(offered(script, 'filigree', 'users', '')).toEqual(expect.arrayContaining(['add', 'ls', 'rm', 'import']))
  expect(offered(script, 'filigree', 'users', 'add', '--perm.a')).toEqual(['--perm.admin'])
  expect(offered(script, 'filigree', '--disableE')).toEqual(['--disableExec'])
  expect(offered(script, 'filigree', 'completion', 'z')).toEqual(['zsh'])
  expect(offered(script, 'filigree', 'users', 'nonsense', '')).toEqual([])
})

test.each(['zsh', 'fish', 'powershell'])('a script for %s names every command of the overview', async shell => {
  const console = await openConsole()
  const script = await console.ok('completion', shell)
  const overview = (await console.ok('help')).split('Flags:')[0] ?? ''
  const names = [...overview.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name)
  expect(names).toEqual(expect.arrayContaining(['serve', 'config', 'users', 'rules', 'cmds', 'hash', 'completion']))
  for (const name of names) expect(script).toMatch(new RegExp(`\\b${name}\\b`))
})

test('the script for PowerShell has the words after each path, quoted safely', async () => {
  const script = await (await openConsole()).ok('completion', 'powershell')
  const table = new Map(
    [...script.matchAll(/^ {4}'([^']*)' = @\((.*)\)$/gm)].map(([, path = '', words = '']) => [path, words.split(', ')]),
  )
  expect(table.get('')).toEqual(expect.arrayContaining(["'serve'", "'users'", "'--disableExec'"]))
  expect(table.get('users')).toEqual(expect.arrayContaining(["'add'", "'ls'", "'rm'", "'import'"]))
  expect(table.get('users add')).toContain("'--perm.admin'")
  expect(table.get('completion')).toEqual(["'bash'", "'fish'", "'powershell'", "'zsh'"])
  for (const word of [...table.values()].flat()) expect(word).toMatch(/^'[\w.-]+'$/)
  expect(script.trimEnd()).toMatch(
    /^Register-ArgumentCompleter -Native -CommandName filigree -ScriptBlock \{\n.*\n\}$/s,
  )
  for (const pair of ['()', '{}', '[]'])
    expect(script.split(pair[0] ?? '')).toHaveLength(script.split(pair[1] ?? '').length)
})

test('another shell is refused with a message', async () => {
  expect(await (await openConsole()).refused('completion', 'tcsh')).toBe(
    "There is no completion script for 'tcsh', only for: bash, fish, powershell, zsh.",
  )
})
