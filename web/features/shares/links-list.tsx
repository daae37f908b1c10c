import { useEffect, useRef, useState } from 'react'
import type { ShareLink } from '../../../shared/api/shares.ts'
import { t } from '../../lib/i18n/index.ts'
import { useSession } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { Expiry } from '../../ui/expiry.tsx'
import { Copy, Lock, QrCode as QrIcon, Trash2 } from '../../ui/icons.ts'
import { copyLink, shareUrl } from '../files/api/share-links.ts'
import styles from './links-list.module.css'
import { QrCode } from './qr-code.tsx'

export interface LinksListProps {
  links: readonly ShareLink[]
  /** Hash of the link just created: it has the focus, and its QR code is shown. */
  fresh: string | undefined
  onDelete: (link: ShareLink) => void
}

/** The share links to an item; each can be copied, shown as a QR code, and deleted. */
export function LinksList({ links, fresh, onDelete }: LinksListProps) {
  // The new link comes first; the others keep the server's order.
  const ordered = links.toSorted((a, b) => Number(b.hash === fresh) - Number(a.hash === fresh))
  return (
    <ul className={styles.links} aria-label={t('shares.links')}>
      {ordered.map((link, index) => (
        <LinkItem
          key={link.hash}
          link={link}
          fresh={link.hash === fresh}
          takesFocus={index === 0}
          onDelete={() => onDelete(link)}
        />
      ))}
    </ul>
  )
}

interface LinkItemProps {
  link: ShareLink
  fresh: boolean
  takesFocus: boolean
  onDelete: () => void
}

function LinkItem({ link, fresh, takesFocus, onDelete }: LinkItemProps) {
  // The list may include the new link before its hash is known here.
  const [chosen, setCode] = useState<boolean>()
  const code = chosen ?? fresh
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  const url = shareUrl(link)
  return (
    <li className={styles.link} data-fresh={fresh || undefined}>
      <div className={styles.main}>
        <input
          ref={field}
          className={styles.url}
          dir="ltr"
          readOnly
          value={url}
          aria-label={t('shares.link')}
          onFocus={event => event.target.select()}
        />
        <div className={styles.actions}>
          <IconButton label={t('shares.copy')} onClick={() => void copyLink(link)}>
            <Copy size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('shares.code')} aria-expanded={code} onClick={() => setCode(!code)}>
            <QrIcon size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('shares.delete')} className={styles.delete} onClick={onDelete}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
        </div>
        <Facts link={link} />
      </div>
      {code && <QrCode text={url} label={t('shares.codeOf', { url })} />}
    </li>
  )
}

function Facts({ link: { expire, hasPassword, username } }: { link: ShareLink }) {
  const { user } = useSession()
  return (
    <p className={styles.facts}>
      <Expiry expire={expire} sentence={when => t('shares.ends', { when })} />
      {hasPassword && (
        <span className={styles.locked}>
          <Lock size={14} aria-hidden />
          {t('shares.locked')}
        </span>
      )}
      {username !== undefined && username !== user?.username && <span>{t('shares.by', { name: username })}</span>}
    </p>
  )
}
