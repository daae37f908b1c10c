import { posix } from 'node:path'
import * as z from 'zod/mini'
import { MAX_RULES, type Rule, RulesInput, VIEW_MODES } from '../../../shared/api/users.ts'
import { SORT_FIELDS } from '../../../shared/sorting.ts'
import { checkRules, cleanFolder } from '../../features/settings/checks.ts'
import { completeRules } from '../../features/settings/complete.ts'
import type { Note, Section } from './report.ts'
import { type Fields, isFields } from './source.ts'

/** Takes a sentence about one thing. */
export type Tell = (section: Section, text: string) => void

export const teller =
  (notes: Note[], about: string): Tell =>
  (section, text) =>
    void notes.push({ section, about, text })

/** Forbids everything: what a rule that makes no sense did over there, where requests failed on it. */
const CLOSED: Rule = { regex: false, allow: false, path: '', regexp: null }

/** Rules as they can be kept; where one cannot be, everything is forbidden instead, never allowed. */
export function tidyRules(raw: unknown, tell: Tell): Rule[] {
  const list = Array.isArray(raw) ? raw : []
  if (list.length > MAX_RULES) {
    tell('todo', `there are more than ${MAX_RULES} rules; until you write fewer, everything is forbidden`)
    return [CLOSED]
  }
  return list.map(item => {
    const rule = ruleOf(item)
    if (rule) return rule
    tell('todo', `the rule ${JSON.stringify(item)} cannot be read; until you mend it, everything is forbidden`)
    return CLOSED
  })
}

function ruleOf(raw: unknown): Rule | undefined {
  const read = z.safeParse(RulesInput, [raw])
  const [rule] = read.success ? completeRules(read.data) : []
  if (!rule) return undefined
  try {
    checkRules([rule], 'rules')
    return rule
  } catch {
    return undefined
  }
}

/**
 * A folder of the served root from a text that may climb or be relative: it is held below the root, as over there.
 * @throws AppError `bad_request` for one with an impossible name
 */
export function tidyFolder(raw: unknown, tell: Tell): string {
  const text = typeof raw === 'string' ? raw : ''
  const folder = cleanFolder(posix.normalize(`/${text}`), 'scope')
  if (text.split('/').includes('..')) tell('changes', `the folder ${JSON.stringify(text)} is kept as ${folder}`)
  return folder
}

/** View and order of a user, or of new ones; what is not known here gets the usual value. */
export function tidyLook(fields: Fields, tell: Tell): Fields {
  const { viewMode, sorting } = fields
  const by = isFields(sorting) ? sorting.by : undefined
  const knowsView = isMissing(viewMode) || VIEW_MODES.some(name => name === viewMode)
  const knowsOrder = isMissing(by) || SORT_FIELDS.some(name => name === by)
  if (!knowsView) tell('changes', `the view ${JSON.stringify(viewMode)} becomes "list"`)
  if (!knowsOrder) tell('changes', `the order by ${JSON.stringify(by)} becomes "name"`)
  return { ...fields, ...(knowsView ? {} : { viewMode: '' }), ...(knowsOrder ? {} : { sorting: null }) }
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ''
