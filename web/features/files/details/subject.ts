import { useEffect, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { type ActionContext, useActionContext } from '../../../lib/actions.ts'

/** What the details describe. */
export type Subject =
  | { about: 'item'; item: ResourceItem }
  | { about: 'many'; items: readonly ResourceItem[] }
  | { about: 'folder'; folder: FolderResource }

/** Milliseconds the focus must rest before the details follow it. */
const REST = 150

/** The selected items, or the focused one while anything is selected, or the folder itself. */
export function subjectOf({ selection, focused, folder }: ActionContext): Subject | undefined {
  const chosen = subjectOfItems(selection)
  if (chosen?.about === 'item' && focused) return { about: 'item', item: focused }
  return chosen ?? (folder && { about: 'folder', folder })
}

/** The same for given items. */
export function subjectOfItems(items: readonly ResourceItem[]): Subject | undefined {
  const [item, ...others] = items
  if (others.length > 0) return { about: 'many', items }
  return item && { about: 'item', item }
}

/** What the details describe now; follows focus and selection once they rest. */
export function useSubject(): Subject | undefined {
  const context = useActionContext()
  const [rested, setRested] = useState(context)
  useEffect(() => {
    const timer = setTimeout(() => setRested(context), REST)
    return () => clearTimeout(timer)
  }, [context])
  return subjectOf(rested)
}
