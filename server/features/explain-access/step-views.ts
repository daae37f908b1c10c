import type { WhyRights, WhyStep } from '../../../shared/api/explain-access.ts'
import type { BlockingEntry, DecidedStep } from '../../files/explain-access.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'

/** A step as shown to administrators. */
export function stepForAdmin({ blockedBy, ...step }: DecidedStep): WhyStep {
  return blockedBy ? { ...step, rights: rightsOf(blockedBy) } : step
}

/**
 * A step as shown to its own user: no rule, which may name hidden paths, and no account of the host. A refused link
 * does not show where it leads: denied, outside and missing look the same.
 */
export function stepForUser({ blockedBy, rule: _rule, ...step }: DecidedStep): WhyStep {
  if (step.check === 'link' && !step.ok) return { check: 'link', ok: false, code: 'outside_scope' }
  if (!blockedBy) return step
  const { server: _server, line: _line, ...rights } = rightsOf(blockedBy)
  return { ...step, rights: { ...rights, owner: { id: rights.owner.id } } }
}

function rightsOf(blockedBy: BlockingEntry): WhyRights {
  const { path, lacks, owner, server } = blockedBy
  return { path, lacks, mode: blockedBy.mode.toString(8).padStart(4, '0'), owner, server, line: fixCommand(blockedBy) }
}

/** A command that adds a right and takes none from others. An ACL entry for the owner would have no effect. */
function fixCommand({ lacks, owner, server, isFolder, real }: BlockingEntry): string {
  const words = isFolder ? ['-R'] : []
  const right = lacks === 'read' ? 'rX' : 'rwX'
  const how =
    owner.id === server.id ? ['chmod', ...words, `u+${right}`] : ['setfacl', ...words, '-m', `u:${server.id}:${right}`]
  return [...how, quotedWord(real)].join(' ')
}
