import { createElement } from 'react'
import { type FilePath, parentOf, parsePath, trustedChild } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { removeRange } from '../../../../ui/grid/range-set.ts'
import { knownFolder } from '../../api/list.ts'
import { freeName } from '../../items/names.ts'
import type { NameQuestion } from '../../items/naming.ts'
import { type Naming, namingStore } from '../../items/naming.ts'
import { emptyItem } from '../../operations/create.ts'
import { addRows } from '../add-rows.ts'
import { paleRow } from '../pale-cells.tsx'
import { NameField } from './name-field.tsx'

let lastId = 0

/**
 * Shows the field for a name in its row; a new item gets a row at the place of the suggested name.
 * @param ask asks the next question: after a refusal, and for the next row
 */
export function beginNaming(question: NameQuestion, ask: (next: NameQuestion) => void): void {
  const renames = question.what === 'rename'
  const folder = renames ? parentOf(parsePath(question.item.path)) : question.folder
  const name = renames ? question.item.name : suggestion(question.what, folder)
  const draft = renames ? undefined : paleRow(emptyItem(trustedChild(folder, name), name, question.what === 'folder'))
  lastId += 1
  const id = lastId
  const naming: Naming = {
    folder,
    addRow: (rows, sorting) => (draft ? addRows(rows, [draft], sorting) : rows),
    withoutRow(state, rows) {
      const index = draft ? rows.indexOf(draft) : -1
      return index < 0 ? state : { ...state, selected: removeRange(state.selected, index, index + 1) }
    },
    over(rows) {
      const index = rows.findIndex(row => row.name === name)
      const field = { question, folder, initial: question.value ?? name, rows, index, ask, onEnd }
      return index < 0 ? undefined : { index, cells: createElement(NameField, { key: id, ...field }) }
    },
  }
  const onEnd = () => {
    if (namingStore.get() === naming) namingStore.set(null)
  }
  namingStore.set(naming)
}

function suggestion(what: 'folder' | 'file', folder: FilePath): string {
  const name = t(what === 'folder' ? 'files.newFolderDefault' : 'naming.newFileDefault')
  return freeName(name, new Set(knownFolder(folder)?.items.map(item => item.name)))
}
