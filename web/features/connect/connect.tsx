import { useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { apiUrl } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useSession } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CircleAlert, Copy, Plus } from '../../ui/icons.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import styles from './connect.module.css'
import { PROGRAMS, type Program, programFor, type Target } from './programs.ts'

/** How other programs reach the files of the user: the address, an API token, and steps for each program. */
export default function ConnectPage() {
  const { user } = useSession()
  const [own] = useState(() => programFor(navigator.userAgent))
  if (!user) return null
  const target = { url: `${location.origin}${apiUrl('/dav/')}`, username: user.username }
  const ordered = own ? [own, ...PROGRAMS.filter(program => program !== own)] : PROGRAMS
  return (
    <>
      <AddressCard target={target} />
      <Card title={t('connect.programs')}>
        <div className={styles.programs}>
          {ordered.map(program => (
            <Steps key={program.id} program={program} target={target} isOpen={program === own} />
          ))}
        </div>
      </Card>
    </>
  )
}

function AddressCard({ target: { url, username } }: { target: Target }) {
  const online = useOnline()
  const create = (
    <Button
      icon={<Plus size={18} aria-hidden />}
      disabled={!online}
      onClick={() => openPrompt('token', { scopes: ['read', 'write'] })}
    >
      {t('tokens.new')}
    </Button>
  )
  return (
    <Card title={t('connect.access')} text={t('connect.text')} footer={create}>
      <dl className={styles.facts}>
        <dt>{t('connect.address')}</dt>
        <dd>
          <Line text={url} />
        </dd>
        <dt>{t('auth.username')}</dt>
        <dd>
          <bdi>{username}</bdi>
        </dd>
      </dl>
      {url.startsWith('http:') && (
        <p className={styles.warning}>
          <CircleAlert size={18} aria-hidden />
          {t('connect.plain')}
        </p>
      )}
    </Card>
  )
}

function Steps({ program, target, isOpen }: { program: Program; target: Target; isOpen: boolean }) {
  const { name, steps, hasCode } = program
  return (
    <details className={styles.program} open={isOpen}>
      <summary className={styles.name}>
        <bdi>{name}</bdi>
      </summary>
      <ol className={styles.steps}>
        {steps.map(({ key, lines }) => (
          <li key={key}>
            {t(key)}
            {lines?.(target).map(line => (
              <Line key={line} text={line} />
            ))}
          </li>
        ))}
      </ol>
      {hasCode && <QrCode text={target.url} label={t('connect.code')} />}
    </details>
  )
}

/** A line to copy. */
function Line({ text }: { text: string }) {
  const copy = async () => {
    const worked = await copyText(text)
    notify(worked ? 'success' : 'info', worked ? t('connect.copied') : t('connect.byHand'))
  }
  return (
    <span className={styles.line} dir="ltr" translate="no">
      <code className={styles.code}>{text}</code>
      <IconButton label={t('connect.copyLine', { line: text })} onClick={() => void copy()}>
        <Copy size={18} aria-hidden />
      </IconButton>
    </span>
  )
}
