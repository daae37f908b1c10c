import { type FormEvent, useId, useRef, useState } from 'react'
import type { ShareLink } from '../../../../shared/api/shares.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import styles from '../link-form.module.css'
import { addressesIn, mailLink } from '../mail-link.ts'
import { NoteField } from '../terms-fields.tsx'

interface LinkMailPromptProps {
  link: Pick<ShareLink, 'hash' | 'label' | 'path'>
  /** Opens the prompt to return to, if any. */
  back?: () => void
}

/** The most characters of the words with a link. */
const MOST_WORDS = 500

/** Sends a link to typed mail addresses, with a few words. */
export default function LinkMailPrompt({ link, back: leave = closePrompt }: LinkMailPromptProps) {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const form = useId()
  const first = useRef<HTMLInputElement>(null)
  const addresses = addressesIn(typed)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || addresses.length === 0) return
    setBusy(true)
    try {
      await mailLink(link, addresses, text)
      notify('success', t('links.mailSent'))
      leave()
    } catch (error) {
      setProblem(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('links.mail')}
      description={<bdi>{link.label ?? shownName(link.path)}</bdi>}
      onClose={leave}
      initialFocus={first}
      footer={
        <>
          <Button onClick={leave}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={form} busy={busy} disabled={addresses.length === 0}>
            {t('links.mailSend')}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <TextField
          ref={first}
          label={t('links.mailTo')}
          hint={t('links.mailToHint')}
          error={problem}
          dir="ltr"
          inputMode="email"
          autoComplete="off"
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
        />
        <NoteField
          label={t('links.mailText')}
          hint={t('links.optional')}
          most={MOST_WORDS}
          value={text}
          onChange={setText}
        />
      </form>
    </Dialog>
  )
}
