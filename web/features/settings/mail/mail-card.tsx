import { useState } from 'react'
import type { MailState, MailTest } from '../../../../shared/api/mail.ts'
import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { queryClient, useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { mailQuery, testMail } from '../api/mail.ts'
import styles from './mail.module.css'
import { addressProblem } from './problem.ts'

/** The mail server of the host, and a test of it; for administrators. */
export default function MailCard() {
  const { data, error, refetch } = useQuery(mailQuery)
  const test = useTest()
  const online = useOnline()
  return (
    <Card
      title={t('mail.title')}
      footer={
        <Button busy={test.busy} disabled={!online} onClick={() => void test.send()}>
          {t('mail.test')}
        </Button>
      }
    >
      {data ? (
        <Facts state={data} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
      <TextField
        label={t('mail.testTo')}
        type="email"
        dir="ltr"
        autoComplete="email"
        error={test.problem}
        value={test.address}
        onChange={event => test.change(event.target.value)}
        onKeyDown={event => {
          // Enter would submit the form around the card.
          if (event.key !== 'Enter') return
          event.preventDefault()
          void test.send()
        }}
      />
      <p role="status" className={styles.facts} data-bad={(test.result && test.result.step !== '') || undefined}>
        {test.result && resultText(test.result)}
      </p>
    </Card>
  )
}

function Facts({ state: { server, from, waiting, dead, failed } }: { state: MailState }) {
  const [last] = failed
  return (
    <div className={styles.facts}>
      <p>{t('mail.facts', { server })}</p>
      <p>{t('mail.from', { from })}</p>
      <p>{t('mail.queue', { waiting, dead })}</p>
      {last && <p>{t('mail.lastFailure', { when: formatDate(Date.parse(last.time)), reason: last.reason })}</p>}
    </div>
  )
}

function useTest() {
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [result, setResult] = useState<MailTest>()
  const change = (value: string) => {
    setAddress(value)
    setProblem(undefined)
    setResult(undefined)
  }
  const send = async () => {
    if (busy) return
    setBusy(true)
    setResult(undefined)
    await testMail(address).then(setResult, (error: unknown) => setProblem(addressProblem(error)))
    await queryClient.invalidateQueries({ queryKey: mailQuery.queryKey })
    setBusy(false)
  }
  return { address, busy, problem, result, change, send }
}

function resultText({ step, answer }: MailTest): string {
  switch (step) {
    case '':
      return t('mail.testSent', { answer })
    case 'name':
      return t('mail.failedName', { answer })
    case 'connection':
      return t('mail.failedConnection', { answer })
    case 'tls':
      return t('mail.failedTls', { answer })
    case 'login':
      return t('mail.failedLogin', { answer })
    case 'receiver':
      return t('mail.failedReceiver', { answer })
    case 'message':
      return t('mail.failedMessage', { answer })
  }
}
