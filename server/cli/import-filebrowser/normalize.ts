import { posix } from 'node:path'
import * as z from 'zod/mini'
import { MAX_RULES, type Rule, RulesInput, VIEW_MODES } from '../../../shared/api/users.ts'
import { SORT_FIELDS } from '../../../shared/sorting.ts'
import { checkRules, cleanFolder } from '../../features/settings/checks.ts'
import { completeRules } from '../../features/settings/complete.ts'
import type { Note, Section } from './report.ts'
import { type Fields, isFields } from './source.ts'

/** Reports one sentence. */
export type Reporter = (section: Section, text: string) => void

export const reporterFor =
  (notes: Note[], about: string): Reporter =>
  (section, text) =>
    void notes.push({ section, about, text })

/** Denies everything, as an invalid rule did in File Browser, where requests failed on it. */
const CLOSED: Rule = { regex: false, allow: false, path: '', regexp: null }

/** Valid rules; an invalid one is replaced by a rule that denies everything. */
export function normalizeRules(raw: unknown, report: Reporter): Rule[] {
  const list = Array.isArray(raw) ? raw : []
  if (list.length > MAX_RULES) {
    report('todo', `there are more than ${MAX_RULES} rules; until you reduce them, everything is denied`)
    return [CLOSED]
  }
  return list.map(item => {
    const rule = ruleOf(item)
    if (rule) return rule
    report('todo', `the rule ${JSON.stringify(item)} is invalid; until you correct it, everything is denied`)
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
 * A folder below the served root, from a text that may be relative or contain `..`; confined to the root, as in File Browser.
 * @throws AppError `bad_request` for an invalid name
 */
export function normalizeFolder(raw: unknown, report: Reporter): string {
  const text = typeof raw === 'string' ? raw : ''
  const folder = cleanFolder(posix.normalize(`/${text}`), 'scope')
  if (text.split('/').includes('..')) report('changes', `the folder ${JSON.stringify(text)} becomes ${folder}`)
  return folder
}

/** View and sorting of a user, or of new users; unknown values become the default. */
export function normalizeView(fields: Fields, report: Reporter): Fields {
  const { viewMode, sorting } = fields
  const by = isFields(sorting) ? sorting.by : undefined
  const knowsView = isMissing(viewMode) || VIEW_MODES.some(name => name === viewMode)
  const knowsOrder = isMissing(by) || SORT_FIELDS.some(name => name === by)
  if (!knowsView) report('changes', `the view ${JSON.stringify(viewMode)} becomes "list"`)
  if (!knowsOrder) report('changes', `sorting by ${JSON.stringify(by)} becomes "name"`)
  return { ...fields, ...(knowsView ? {} : { viewMode: '' }), ...(knowsOrder ? {} : { sorting: null }) }
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ''
