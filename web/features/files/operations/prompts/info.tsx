import { useRef } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { useActionContext } from '../../../../lib/actions.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { useQuery } from '../../../../lib/query.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { LoadFailure } from '../../../../ui/load-failure.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { folderQuery, isFolder } from '../../api/list.ts'
import { fetchResource } from '../../api/resource.ts'
import { subjectName } from '../../details/heading.tsx'
import { PanelBody } from '../../details/panel-body.tsx'
import { subjectOf, subjectOfItems } from '../../details/subject.ts'
import { complete } from '../../items/hydrate-items.ts'
import { isStub } from '../../items/stub-item.ts'

interface InfoPromptProps {
  /** Default: the selection, or the folder. */
  items?: readonly ResourceItem[]
}

/** The details where there is no room for them next to the listing, or of an item outside a listing. */
export default function InfoPrompt({ items }: InfoPromptProps) {
  const close = useRef<HTMLButtonElement>(null)
  const chosen = subjectOf(useActionContext())
  const subject = items ? subjectOfItems(items) : chosen
  if (!subject) return null
  return (
    <Dialog
      title={<bdi>{subjectName(subject)}</bdi>}
      onClose={closePrompt}
      initialFocus={close}
      footer={
        <Button ref={close} kind="primary" onClick={closePrompt}>
          {t('common.close')}
        </Button>
      }
    >
      {subject.about === 'item' && isStub(subject.item) ? (
        <Fetched item={subject.item} />
      ) : subject.about === 'many' && subject.items.some(isStub) ? (
        <FetchedMany items={subject.items} />
      ) : (
        <PanelBody subject={subject} />
      )}
    </Dialog>
  )
}

/** The details of an item of which only the path is known so far. */
function Fetched({ item: { path, isDir } }: { item: ResourceItem }) {
  const file = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchResource(path, false, signal),
    enabled: !isDir,
  })
  const folder = useQuery({ ...folderQuery(path), enabled: isDir })
  const { data, error, refetch } = isDir ? folder : file
  if (data)
    return <PanelBody subject={isFolder(data) ? { about: 'folder', folder: data } : { about: 'item', item: data }} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}

/** The same for several items. */
function FetchedMany({ items }: { items: readonly ResourceItem[] }) {
  const query = { queryKey: ['items', items.map(({ path }) => path)], queryFn: () => complete(items), gcTime: 0 }
  const { data, error, refetch } = useQuery(query)
  if (data) return <PanelBody subject={{ about: 'many', items: data }} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}
