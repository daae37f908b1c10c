import {
  type Change,
  type ChangeKind,
  type ChangeStep,
  type KeptEnd,
  UNDO_OBSTACLES,
  type UndoObstacle,
  type Verdict,
} from '../../../../shared/api/changes.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'

type Did = Exclude<ChangeKind, 'undo'>

/** What was changed: how many items, and the name of the only one. */
interface Subject {
  count: number
  item: string
}

/** What an action did, as a sentence: "Moved 3 items". */
const DID: Readonly<Record<Did, (subject: Subject) => string>> = {
  delete: subject => t('trash.moved', subject),
  purge: subject => t('changes.purge', subject),
  move: subject => t('changes.move', subject),
  rename: ({ count }) => t('renameMany.done', { count }),
  copy: subject => t('changes.copy', subject),
  create: subject => t('changes.create', subject),
  upload: ({ count }) => t('uploads.done', { count }),
  save: subject => t('changes.save', subject),
  archive: () => t('changes.archive'),
  extract: ({ count }) => t('changes.extract', { count }),
  restore: subject => t('trash.restored', subject),
  revert: () => t('changes.revert'),
  rewind: () => t('changes.rewind'),
  expire: () => t('changes.expire'),
  link: subject => t('changes.link', subject),
  relink: subject => t('changes.relink', subject),
  unlink: subject => t('changes.unlink', subject),
}

type Titled = Pick<Change, 'kind' | 'about' | 'count' | 'first'>

const subjectOf = ({ count, first }: Titled): Subject => ({ count, item: shownName(first[0] ?? '') })

/** What a change did: an undo says what it undid. */
export function changeText(change: Titled): string {
  const { kind, about } = change
  if (kind !== 'undo') return DID[kind](subjectOf(change))
  if (!about || about.kind === 'undo') return t('changes.state.undone')
  const what = DID[about.kind](subjectOf(change))
  return about.again ? t('changes.redone', { what }) : t('changes.undone', { what })
}

/** What was changed, also where an undo undid or did it again. @param folder where a move led, if known */
export function subjectText(change: Titled, folder?: string): string {
  const { kind, about } = change
  const did = kind === 'undo' ? (about?.kind ?? 'undo') : kind
  if (did === 'undo') return t('changes.state.undone')
  const subject = subjectOf(change)
  if (did === 'move' && folder !== undefined) {
    return t('transfer.movedTo', { ...subject, name: nameOf(parsePath(folder)) || t('files.home') })
  }
  return DID[did](subject)
}

/** Whether the undo of a change does an earlier one again. */
export const isRedo = ({ kind }: Pick<Change, 'kind'>): boolean => kind === 'undo'

/** Who made a change: where it came through a link, its visitor by the name they gave; `''` for what expired. */
export function byText({ kind, mine, user, visitor }: Pick<Change, 'kind' | 'mine' | 'user' | 'visitor'>): string {
  if (kind === 'expire') return ''
  if (visitor === undefined) return mine ? t('changes.you') : user || t('changes.someone')
  return visitor === '' ? t('changes.aVisitor') : t('changes.visitor', { name: shownName(visitor) })
}

/** The state of a change, where its title does not say it; `''` for an ordinary one. */
export function stateText({ state, kind, undo }: Pick<Change, 'state' | 'kind' | 'undo'>): string {
  if (state === 'open') return t('changes.state.open')
  if (state === 'partly') return t('changes.state.partly')
  if (state === 'undone') return kind === 'undo' ? '' : t('changes.state.undone')
  return !undo.can && undo.why === 'gone' ? t('changes.state.gone') : ''
}

/** What a step did. */
export function stepText({ kind, path, to }: Pick<ChangeStep, 'kind' | 'path' | 'to'>): string {
  if (kind !== 'move') return t(`changes.step.${kind}`)
  if (to !== undefined) return t('changes.step.move', { path: pathText(to) })
  return t('changes.move', { count: 1, item: shownName(nameOf(parsePath(path))) })
}

/** Whether a step replaced a content of which no version was kept. */
export const isUnkept = ({ kind, kept }: Pick<ChangeStep, 'kind' | 'kept'>): boolean =>
  kind === 'replace' && kept === undefined

const pathText = (path: string): string => shownName(path)

/** Whether a code of a result is the obstacle of a step. */
export const isObstacle = (code: string): code is UndoObstacle => UNDO_OBSTACLES.some(known => known === code)

/** Why a step cannot be undone: where what it needs is gone, how it went. `''` where it can. */
export function whyText({ why, went }: Pick<Verdict, 'why' | 'went'>): string {
  if (why === undefined) return ''
  return went ? WENT[went.how](formatDate(went.time)) : obstacleText(why)
}

const WENT: Readonly<Record<KeptEnd, (when: string) => string>> = {
  restored: () => t('changes.step.restore'),
  purged: when => t('changes.went.purged', { when }),
  expired: when => t('changes.went.expired', { when }),
  room: when => t('changes.went.room', { when }),
  taken: () => t('changes.went.taken'),
}

/** Why something cannot be undone. */
export function obstacleText(why: UndoObstacle): string {
  if (why === 'forbidden') return t('errors.forbidden')
  if (why === 'unsupported') return t('errors.unsupported')
  return t(why === 'changed_since' ? 'changes.why.changedSince' : `changes.why.${why}`)
}
