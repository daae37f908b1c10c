import type { WhyRights, WhyStep } from '../../../shared/api/explain-access.ts'
import type { DecidedStep, InTheWay } from '../../files/explain-access.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'

/** A step as administrators read it. */
export function toldToAdmin({ inTheWay, ...step }: DecidedStep): WhyStep {
  return inTheWay ? { ...step, rights: rightsOf(inTheWay) } : step
}

/**
 * A step as its own user reads it: no rule, which may name what is hidden, and no account of the host. Of a link that is
 * refused, not where it leads: whether that place is denied, outside or missing makes no difference.
 */
export function toldToUser({ inTheWay, rule: _rule, ...step }: DecidedStep): WhyStep {
  if (step.check === 'link' && !step.ok) return { check: 'link', ok: false, code: 'outside_scope' }
  if (!inTheWay) return step
  const { server: _server, line: _line, ...rights } = rightsOf(inTheWay)
  return { ...step, rights: { ...rights, owner: { id: rights.owner.id } } }
}

function rightsOf(inTheWay: InTheWay): WhyRights {
  const { path, lacks, owner, server } = inTheWay
  return { path, lacks, mode: inTheWay.mode.toString(8).padStart(4, '0'), owner, server, line: mendingLine(inTheWay) }
}

/** Adds a right, and takes none from others. The owner has no use for an entry of its own. */
function mendingLine({ lacks, owner, server, isFolder, real }: InTheWay): string {
  const words = isFolder ? ['-R'] : []
  const right = lacks === 'read' ? 'rX' : 'rwX'
  const how =
    owner.id === server.id ? ['chmod', ...words, `u+${right}`] : ['setfacl', ...words, '-m', `u:${server.id}:${right}`]
  return [...how, quotedWord(real)].join(' ')
}
