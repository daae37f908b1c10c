import { loadChunk } from '../../../../lib/chunk.ts'
import { holdKeys } from '../../../../lib/held-keys.ts'
import type { NameQuestion } from '../../items/naming.ts'

export const loadNaming = () => import('./ask-name.ts')

/** Asks for a name, in its row or by a prompt. @throws ChunkError */
export async function askForName(question: NameQuestion): Promise<void> {
  const release = holdKeys()
  try {
    const { askName } = await loadChunk(loadNaming)
    askName(question)
  } finally {
    release()
  }
}
