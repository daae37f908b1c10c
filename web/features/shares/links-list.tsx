import { useEffect, useRef, useState } from 'react'
import type { ShareLink } from '../../../shared/api/shares.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { useSession } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Expiry } from '../../ui/expiry.tsx'
import { Check, Clock, Copy, Inbox, Lock, Mail, Pause, Pencil, Play, QrCode as QrIcon, Trash2 } from '../../ui/icons.ts'
import { copyLink, shareUrl, togglePause } from '../files/api/share-links.ts'
import LinkLimit from '../files/items/link-limit.tsx'
import LinkShut from '../files/items/link-shut.tsx'
import { LinkUse } from '../files/items/link-use.tsx'
import styles from './links-list.module.css'
import { QrCode } from './qr-code.tsx'
import { rightsText } from './rights.ts'

export interface LinksListProps {
  links: readonly ShareLink[]
  /** The link just created or changed: it has the focus, and its QR code is shown. */
  fresh: { hash: string; copied: boolean } | undefined
  onEdit: (link: ShareLink) => void
  onDelete: (link: ShareLink) => void
  /** Shows what arrived by a file request. */
  onDeliveries: (link: ShareLink) => void
  /** Shows when it was opened. */
  onVisits: (link: ShareLink) => void
  /** Sends it by mail, where the host has a mail server. */
  onMail: (link: ShareLink) => void
}

/** The share links to an item; each can be copied, shown as a QR code, changed and deleted. */
export function LinksList({ links, fresh, onEdit, onDelete, onDeliveries, onVisits, onMail }: LinksListProps) {
  // The new link comes first; the others keep the server's order.
  const ordered = links.toSorted((a, b) => Number(b.hash === fresh?.hash) - Number(a.hash === fresh?.hash))
  return (
    <ul className={styles.links} aria-label={t('shares.links')}>
      {ordered.map((link, index) => (
        <LinkItem
          key={link.hash}
          link={link}
          fresh={link.hash === fresh?.hash}
          copiedBefore={link.hash === fresh?.hash && fresh.copied}
          takesFocus={index === 0}
          onEdit={() => onEdit(link)}
          onDelete={() => onDelete(link)}
          onDeliveries={() => onDeliveries(link)}
          onVisits={() => onVisits(link)}
          onMail={() => onMail(link)}
        />
      ))}
    </ul>
  )
}

interface LinkItemProps {
  link: ShareLink
  fresh: boolean
  copiedBefore: boolean
  takesFocus: boolean
  onEdit: () => void
  onDelete: () => void
  onDeliveries: () => void
  onVisits: () => void
  onMail: () => void
}

function LinkItem({
  link,
  fresh,
  copiedBefore,
  takesFocus,
  onEdit,
  onDelete,
  onDeliveries,
  onVisits,
  onMail,
}: LinkItemProps) {
  // The list may include the new link before its hash is known here.
  const [chosen, setCode] = useState<boolean>()
  const code = chosen ?? fresh
  const [copiedHere, setCopied] = useState<boolean>()
  const copied = copiedHere ?? copiedBefore
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  const url = shareUrl(link)
  const { user } = useSession()
  const isOwn = link.userID === user?.id
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
          <Button
            kind={takesFocus ? 'primary' : 'plain'}
            icon={copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
            onClick={() => void copyLink(link).then(setCopied)}
          >
            {t('shares.copy')}
          </Button>
          <IconButton label={t('shares.code')} aria-expanded={code} onClick={() => setCode(!code)}>
            <QrIcon size={18} aria-hidden />
          </IconButton>
          {pageConfig.Mail && isOwn && link.paused === undefined && (
            <IconButton label={t('links.mail')} onClick={onMail}>
              <Mail size={18} aria-hidden />
            </IconButton>
          )}
          {link.kind === 'drop' && (
            <IconButton label={t('links.deliveries')} onClick={onDeliveries}>
              <Inbox size={18} aria-hidden />
            </IconButton>
          )}
          <IconButton label={t('links.visits')} onClick={onVisits}>
            <Clock size={18} aria-hidden />
          </IconButton>
          <IconButton
            label={t(link.paused === undefined ? 'links.pause' : 'links.resume')}
            onClick={() => void togglePause(link)}
          >
            {link.paused === undefined ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
          </IconButton>
          <IconButton label={t('shares.edit')} onClick={onEdit}>
            <Pencil size={18} aria-hidden />
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

function Facts({ link }: { link: ShareLink }) {
  const { kind, expire, hasPassword, username, label, rights, received, maxDownloads, previewOnly, used, paused } = link
  const { user } = useSession()
  return (
    <p className={styles.facts}>
      {label !== undefined && (
        <strong>
          <bdi>{label}</bdi>
        </strong>
      )}
      {!rights && !previewOnly && <span>{t(kind === 'drop' ? 'links.drop' : 'links.view')}</span>}
      {paused !== undefined && <strong className={styles.paused}>{t('links.paused')}</strong>}
      {link.shut !== undefined && (
        <strong className={styles.paused}>
          <LinkShut link={link} />
        </strong>
      )}
      {rights && (
        <span>
          {t('links.edit')}: {rightsText(rights, link.path.endsWith('/'))}
        </span>
      )}
      {received && <span>{t('links.received', { count: received.items })}</span>}
      <Expiry expire={expire} sentence={when => t('shares.ends', { when })} withDate />
      {hasPassword && (
        <span className={styles.locked}>
          <Lock size={14} aria-hidden />
          {t('shares.locked')}
        </span>
      )}
      {previewOnly && <span>{t('links.previewOnly')}</span>}
      {maxDownloads !== undefined && <LinkLimit link={link} />}
      {used && <LinkUse used={maxDownloads === undefined ? used : { ...used, downloads: 0 }} />}
      {username !== undefined && username !== user?.username && <span>{t('shares.by', { name: username })}</span>}
    </p>
  )
}
