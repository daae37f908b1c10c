import {
  type Change,
  type ChangeKind,
  type ChangeStep,
  UNDO_OBSTACLES,
  type UndoObstacle,
} from '../../../../shared/api/changes.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'

type Did = Exclude<ChangeKind, 'undo'>

/** What an action did, as a sentence: "Moved 3 items". */
const DID: Readonly<Record<Did, (count: number) => string>> = {
  delete: count => t('trash.moved', { count }),
  purge: count => t('changes.purge', { count }),
  move: count => t('changes.move', { count }),
  rename: count => t('renameMany.done', { count }),
  copy: count => t('changes.copy', { count }),
  create: count => t('changes.create', { count }),
  upload: count => t('uploads.done', { count }),
  save: count => t('changes.save', { count }),
  archive: () => t('changes.archive'),
  extract: count => t('changes.extract', { count }),
  restore: count => t('trash.restored', { count }),
  revert: () => t('changes.revert'),
  rewind: () => t('changes.rewind'),
}

/** What a change did: an undo says what it undid. */
export function changeText({ kind, about, count }: Pick<Change, 'kind' | 'about' | 'count'>): string {
  if (kind !== 'undo') return DID[kind](count)
  if (!about || about.kind === 'undo') return t('changes.state.undone')
  const what = DID[about.kind](count)
  return about.again ? t('changes.redone', { what }) : t('changes.undone', { what })
}

/** What was changed, also where an undo undid or did it again. @param folder where a move led, if known */
export function subjectText({ kind, about, count }: Pick<Change, 'kind' | 'about' | 'count'>, folder?: string): string {
  const subject = kind === 'undo' ? (about?.kind ?? 'undo') : kind
  if (subject === 'undo') return t('changes.state.undone')
  if (subject === 'move' && folder !== undefined) {
    return t('transfer.movedTo', { count, name: nameOf(parsePath(folder)) || t('files.home') })
  }
  return DID[subject](count)
}

/** Whether the undo of a change does an earlier one again. */
export const isRedo = ({ kind }: Pick<Change, 'kind'>): boolean => kind === 'undo'

/** Who made a change: where it came through a link, its visitor by the name they gave. */
export function byText({ mine, user, visitor }: Pick<Change, 'mine' | 'user' | 'visitor'>): string {
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
export function stepText({ kind, to }: Pick<ChangeStep, 'kind' | 'to'>): string {
  if (kind !== 'move') return t(`changes.step.${kind}`)
  return to === undefined ? t('changes.move', { count: 1 }) : t('changes.step.move', { path: pathText(to) })
}

const pathText = (path: string): string => shownName(path)

/** Whether a code of a result is the obstacle of a step. */
export const isObstacle = (code: string): code is UndoObstacle => UNDO_OBSTACLES.some(known => known === code)

/** Why something cannot be undone. */
export function obstacleText(why: UndoObstacle): string {
  if (why === 'forbidden') return t('errors.forbidden')
  if (why === 'unsupported') return t('errors.unsupported')
  return t(why === 'changed_since' ? 'changes.why.changedSince' : `changes.why.${why}`)
}
