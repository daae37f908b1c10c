import type { Rule } from '../../../shared/api/users.ts'
import type { Arguments, Command } from '../command.ts'
import { withDb } from '../open.ts'
import { changeRules, printRules, refuseRelative, TARGET_FLAGS } from './common.ts'

export const command: Command = {
  usage: '<path|expression>',
  summary: 'Appends a rule; the last rule that matches decides',
  flags: [
    ...TARGET_FLAGS,
    { flag: 'allow', short: 'a', boolean: true, doc: 'Allow; the default is to deny.' },
    { flag: 'regex', short: 'r', boolean: true, doc: 'The argument is a regular expression.' },
  ],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const rule = ruleOf(given)
      printRules(await changeRules(db, given.flags, rules => [...rules, rule]))
    }),
}

function ruleOf({ flags, positionals: [word = ''] }: Arguments): Rule {
  const regex = flags.get('regex') === 'true'
  if (!regex) refuseRelative(word)
  return {
    regex,
    allow: flags.get('allow') === 'true',
    path: regex ? '' : word,
    regexp: regex ? { raw: word } : null,
  }
}
