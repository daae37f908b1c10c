import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openConsole } from './console.ts'

/** What bash offers for the last of these words, with the script that the program prints. */
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

test.each(['zsh', 'fish'])('a script for %s names every command', async shell => {
  const script = await (await openConsole()).ok('completion', shell)
  for (const name of ['serve', 'config', 'users', 'rules', 'cmds', 'hash', 'version', 'help', 'completion'])
    expect(script).toMatch(new RegExp(`\\b${name}\\b`))
})

test('another shell is refused with a sentence', async () => {
  expect(await (await openConsole()).refused('completion', 'tcsh')).toBe(
    "There is no script for 'tcsh', only for: bash, fish, zsh.",
  )
})
