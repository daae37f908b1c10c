import { useRef } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { formatBytes } from '../../../../lib/i18n/format.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { type Deletion, deleteItems } from '../delete.ts'
import { Later } from './later.tsx'
import { Names } from './names.tsx'

interface DeletePromptProps {
  items: readonly ResourceItem[]
  /** For good, not to the trash. */
  permanent?: boolean
  /** The trash has refused the items. */
  unkept?: boolean
  /** Bytes that must be copied to keep the items; `NaN` if they are not known. */
  copyBytes?: number
}

/**
 * Confirms a deletion, with the focus on Cancel: one key too many deletes nothing. Failures are reported afterwards.
 */
export default function DeletePrompt({ items, permanent = false, unkept = false, copyBytes }: DeletePromptProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const run = (how: Deletion) => {
    closePrompt()
    void deleteItems(items, how)
  }
  return (
    <Dialog
      alert
      title={titleOf({ items, permanent, unkept, ...(copyBytes !== undefined && { copyBytes }) })}
      description={copyBytes !== undefined ? copyText(copyBytes) : permanent ? finalText(items) : t('trash.moveText')}
      onClose={closePrompt}
      initialFocus={cancel}
      aside={copyBytes === undefined && <Later action="delete" items={items} permanent={permanent} />}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind={permanent ? 'danger' : 'primary'} onClick={() => run({ permanent })}>
            {t(permanent ? 'trash.purge' : 'trash.move')}
          </Button>
          {copyBytes !== undefined && (
            <Button kind="primary" onClick={() => run({ copy: true })}>
              {t('trash.copy')}
            </Button>
          )}
        </>
      }
    >
      {(items.length > 1 || unkept || copyBytes !== undefined) && (
        <Names items={items.map(({ path, name }) => ({ key: path, name }))} />
      )}
    </Dialog>
  )
}

function titleOf({ items, permanent, unkept, copyBytes }: DeletePromptProps): string {
  if (copyBytes !== undefined) return t('trash.copyTitle')
  if (unkept) return t('trash.unkept')
  return permanent ? purgeTitle(items) : moveTitle(items)
}

const copyText = (bytes: number) =>
  Number.isNaN(bytes) ? t('trash.copyUnknown') : t('trash.copyText', { size: formatBytes(bytes) })

function moveTitle(items: readonly ResourceItem[]): string {
  const [first] = items
  return items.length === 1 && first
    ? t('trash.moveOne', { name: first.name })
    : t('trash.moveMany', { count: items.length })
}

function purgeTitle(items: readonly ResourceItem[]): string {
  const [first] = items
  return items.length === 1 && first
    ? t('trash.purgeOne', { name: first.name })
    : t('trash.purgeMany', { count: items.length })
}

function finalText(items: readonly ResourceItem[]): string {
  const folders = items.filter(item => item.isDir).length
  if (items.length > 1) return t('trash.finalMany', { folders })
  return t(folders > 0 ? 'trash.finalFolder' : 'trash.final')
}
