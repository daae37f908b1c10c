import { RE2JS } from 're2js'
import { COLOUR, type Settings } from '../../../shared/api/settings.ts'
import { MAX_EXPRESSION_BYTES, MAX_RULES, type Rule } from '../../../shared/api/users.ts'
import { checkName } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'

/**
 * Refuses rules that could never be evaluated, so that the author of a mistake gets the error and not every user later.
 * Expressions have RE2's syntax (http-api 16.1).
 * @param field where the rules are in the request
 * @throws AppError `bad_request` naming the field
 */
export function checkRules(rules: readonly Rule[], field: string): void {
  if (rules.length > MAX_RULES)
    throw new AppError('bad_request', `${field}: must not have more than ${MAX_RULES} rules`)
  for (const [index, rule] of rules.entries()) if (rule.regex) checkExpression(rule, `${field}[${index}].regexp`)
}

function checkExpression({ regexp }: Rule, field: string): void {
  if (!regexp) throw new AppError('bad_request', `${field}: is missing`)
  if (Buffer.byteLength(regexp.raw) > MAX_EXPRESSION_BYTES) {
    throw new AppError('bad_request', `${field}.raw: is longer than ${MAX_EXPRESSION_BYTES} bytes`)
  }
  try {
    RE2JS.compile(regexp.raw)
  } catch (error) {
    throw new AppError('bad_request', `${field}.raw: is not a valid expression`, { cause: error })
  }
}

/**
 * A folder of the served root as it is stored: `/` or `/…`; `''`, `.` and `./a/` are accepted.
 * @param field where it is in the request
 * @throws AppError `bad_request` for one with `..` or an invalid name
 */
export function cleanFolder(folder: string, field: string): string {
  const names = folder.split('/').filter(name => name !== '' && name !== '.')
  try {
    return `/${names.map(checkName).join('/')}`
  } catch (error) {
    throw new AppError('bad_request', `${field}: is not a folder of this server`, { cause: error })
  }
}

/**
 * Checks settings beyond their schema, before they are stored.
 * @throws AppError `bad_request` naming the field
 */
export function checkSettings(settings: Settings): void {
  checkRules(settings.rules, 'rules')
  cleanFolder(settings.userHomeBasePath, 'userHomeBasePath')
  cleanFolder(settings.defaults.scope, 'defaults.scope')
  const { color } = settings.branding
  if (color !== '' && !COLOUR.test(color)) {
    throw new AppError('bad_request', 'branding.color: is not a colour like #00707b')
  }
}
