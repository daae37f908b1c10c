import { useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { LinkChange, LinkKind, ShareLink } from '../../../../shared/api/shares.ts'
import type { TokenUser } from '../../../../shared/api/users.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { type OtherPlaces, placesStore } from '../../../lib/other-places.ts'
import { closePrompt, openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { filesUrl } from '../../../lib/router.tsx'
import { useSession } from '../../../lib/session.ts'
import { useStore } from '../../../lib/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { copyLink, linksQuery, reloadShares } from '../../files/api/share-links.ts'
import { offerUndo } from '../../files/operations/undo.ts'
import { LINK_FORM, LinkForm } from '../link-form.tsx'
import { LinksList } from '../links-list.tsx'
import styles from '../people.module.css'
import { People } from '../people.tsx'
import { kindsToMake, rightsToGive } from '../rights.ts'
import { changeShare, createShare } from '../save-link.ts'

interface SharePromptProps {
  item: Pick<ResourceItem, 'path' | 'name' | 'isDir'>
  /** Begins with a new link of this kind, and leaves out the users with whom the item is shared. */
  kind?: LinkKind
}

/** The form for a new link or for the one with this hash, or the list of existing ones. */
type Mode = 'list' | 'new' | { hash: string }

/** Whether others share it with the user: it is shared on with people, and no link leads to it. */
function useIsReceived(path: string): boolean {
  const hall = useStore(placesStore)?.hall
  return hall !== undefined && filesUrl(path, true).startsWith(hall)
}

/** What the user may do there, as far as links can give it. */
function permAt(user: TokenUser, places: OtherPlaces | undefined, path: FilePath): TokenUser['perm'] {
  if (!places?.isInMount(path)) return user.perm
  const route = { name: 'files' as const, path, folderHint: true }
  const { perm } = places.userAt(user, route, [{ path: path as string } as ResourceItem])
  return { ...perm, create: places.mayCreateAt(route) }
}

/** The share links to a file or folder. */
export default function SharePrompt({ item, kind }: SharePromptProps) {
  const path = item.path.replace(/\/$/, '') as FilePath
  const links = useQuery(linksQuery(path))
  const [wanted, setWanted] = useState<Mode | undefined>(kind && 'new')
  const [fresh, setFresh] = useState<{ hash: string; copied: boolean }>()
  const [busy, setBusy] = useState(false)
  // A name is for People: the button of the link would share with everyone who has it.
  const [isTyping, setTyping] = useState(false)
  const first = useRef<HTMLElement>(null)
  const isReceived = useIsReceived(path)
  const places = useStore(placesStore)
  // The people of a folder of another root are those to whom it is given.
  const isInMount = places?.isInMount(path) === true
  const mode = wanted ?? (links.data?.length === 0 && !isReceived ? 'new' : 'list')
  const changed = typeof mode === 'object' ? links.data?.find(({ hash }) => hash === mode.hash) : undefined

  // People with whom the item is shared have it already: there is nothing to cancel.
  const isFirst = kind === undefined && links.data?.length === 0

  const { user } = useSession()
  const perm = user && permAt(user, places, path)
  const allowed = perm ? kindsToMake(perm, item.isDir) : []
  const kinds = kind === undefined ? allowed : allowed.filter(one => one === kind)
  const mayMake = kinds.length > 0
  const mayGive = perm ? rightsToGive(perm, item.isDir) : []

  const save = async (change: LinkChange, kindToMake: LinkKind) => {
    if (changed) {
      const recorded = await changeShare(changed, change)
      if (recorded !== undefined) offerUndo(t('links.changed'), [recorded])
      setFresh({ hash: changed.hash, copied: false })
    } else {
      const link = await createShare({ path, isDir: item.isDir }, change, kindToMake)
      setFresh({ hash: link.hash, copied: await copyLink(link) })
    }
    await reloadShares()
    setWanted('list')
  }
  const back = () => openPrompt('share', { item })
  const remove = (link: ShareLink) => openPrompt('shareDelete', { link, back })
  const showDeliveries = (link: ShareLink) => openPrompt('deliveries', { link, back })
  const showVisits = (link: ShareLink) => openPrompt('visits', { link, back })
  const mail = (link: ShareLink) => openPrompt('linkMail', { link, back })
  const listed = mode === 'list' ? links.data : undefined
  return (
    <Dialog
      wide={mode === 'list'}
      title={t(kind === 'drop' ? 'links.requestTitle' : 'shares.title', { name: item.name })}
      description={
        links.data && mode === 'new' && kind === undefined && kinds.length < 2 ? t('shares.explain') : undefined
      }
      onClose={closePrompt}
      initialFocus={first}
      footer={
        isTyping && !changed ? (
          <Button onClick={closePrompt}>{t('common.close')}</Button>
        ) : mode === 'list' ? (
          <>
            {!isReceived && (
              <Button
                icon={<Plus size={18} aria-hidden />}
                disabled={!listed || !mayMake}
                onClick={() => setWanted('new')}
              >
                {t('shares.new')}
              </Button>
            )}
            <Button onClick={closePrompt}>{t('common.close')}</Button>
          </>
        ) : (
          <>
            <Button onClick={links.data?.length ? () => setWanted('list') : closePrompt}>
              {t(isFirst ? 'common.close' : 'common.cancel')}
            </Button>
            {(changed || mayMake) && (
              <Button kind="primary" type="submit" form={LINK_FORM} busy={busy}>
                {t(changed ? 'fields.save' : 'shares.create')}
              </Button>
            )}
          </>
        )
      }
    >
      {!changed && kind === undefined && !isInMount && <People path={path} isDir={item.isDir} onTyping={setTyping} />}
      {!isReceived && (
        <div className={styles.links} data-away={(isTyping && !changed) || undefined}>
          {!changed && kind === undefined && <h3 className={styles.title}>{t('shares.links')}</h3>}
          {mode === 'new' && !changed && !mayMake && <p>{t('links.noneAllowed')}</p>}
          {((mode === 'new' && mayMake) || changed) && (
            <LinkForm
              link={changed}
              isDir={item.isDir}
              first={kind}
              kinds={kinds}
              mayGive={mayGive}
              onBusy={setBusy}
              save={save}
            />
          )}
          {listed && (
            <LinksList
              links={listed}
              fresh={fresh}
              onDelete={remove}
              onEdit={({ hash }) => setWanted({ hash })}
              onDeliveries={showDeliveries}
              onVisits={showVisits}
              onMail={mail}
            />
          )}
        </div>
      )}
      {!links.data && links.error && <LoadFailure error={links.error} onRetry={() => void links.refetch()} />}
      {links.isLoading && <Spinner label={t('common.loading')} onRetry={() => void links.refetch()} />}
    </Dialog>
  )
}
