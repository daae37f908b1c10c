import { parentOf, parsePath } from '../../../../../shared/path.ts'
import { currentContext } from '../../../../lib/actions.ts'
import { isNarrow } from '../../../../lib/media.ts'
import { openPrompt } from '../../../../lib/prompts.ts'
import type { NameQuestion } from '../../items/naming.ts'
import { beginNaming } from './begin-naming.ts'

/** Asks for a name in the row, if its folder is on the screen; on phones, whose keyboard covers rows, in a prompt. */
export function askName(question: NameQuestion): void {
  if (hasRow(question)) beginNaming(question, askName)
  else if (question.what === 'rename') openPrompt('rename', question)
  else openPrompt('create', question)
}

function hasRow(question: NameQuestion): boolean {
  const { view, folder, route } = currentContext()
  const wanted = question.what === 'rename' ? parentOf(parsePath(question.item.path)) : question.folder
  const isShown = view !== undefined && folder !== undefined && route.name === 'files' && route.path === wanted
  return isShown && !isNarrow() && !matchMedia('(pointer: coarse)').matches
}
