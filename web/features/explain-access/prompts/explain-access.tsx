import { useState } from 'react'
import type { WhyAnswer } from '../../../../shared/api/explain-access.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { EFFECTS, type Effect } from '../../../../shared/permissions.ts'
import { apiJson } from '../../../lib/api.ts'
import { type MessageKey, t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from '../explain-access.module.css'
import { AccessSteps } from '../steps.tsx'

interface ExplainAccessPromptProps {
  path: string
  /** The current user unless given. */
  username?: string
  /** Selected initially. */
  action?: Effect
  /** Hash of a public share, for which there is no other choice. */
  link?: string
}

const ACTION_LABELS = {
  list: 'actions.open',
  read: 'actions.download',
  create: 'actions.upload',
  replace: 'conflicts.replace',
  remove: 'actions.delete',
  rename: 'actions.rename',
  share: 'actions.share',
} as const satisfies Record<Effect, MessageKey>

/**
 * Explains the access to an action: for the current user, for administrators about any user; or through a public share.
 */
export default function ExplainAccessPrompt({ link, ...asked }: ExplainAccessPromptProps) {
  const { user } = useSession()
  const own = user?.username ?? ''
  return (
    <Dialog title={t('details.explainAccess')} onClose={closePrompt}>
      {link === undefined ? (
        <Chosen asked={asked} own={own} byAnybody={user?.perm.admin ?? false} />
      ) : (
        <>
          <p className={styles.place}>
            <bdi>{shownName(asked.path)}</bdi>
          </p>
          <Answer question={{ path: asked.path, action: 'share', username: own, link }} />
        </>
      )}
    </Dialog>
  )
}

interface ChosenProps {
  asked: Omit<ExplainAccessPromptProps, 'link'>
  /** Name of the current user. */
  own: string
  /** Whether the query may be about other users. */
  byAnybody: boolean
}

function Chosen({ asked: { path, username, action = 'read' }, own, byAnybody }: ChosenProps) {
  const [question, setQuestion] = useState<AccessQuestion>({ path, action, username: username ?? own })
  const choose = (change: Partial<AccessQuestion>) => setQuestion({ ...question, ...change })
  return (
    <>
      <div className={styles.question}>
        <TextField
          label={t('common.path')}
          dir="ltr"
          value={question.path}
          onChange={event => choose({ path: event.target.value })}
        />
        <SelectField
          label={t('files.menu')}
          value={question.action}
          choices={EFFECTS.map(value => ({ value, label: t(ACTION_LABELS[value]) }))}
          onChange={value => choose({ action: EFFECTS.find(name => name === value) ?? 'read' })}
        />
        {byAnybody && (
          <TextField
            label={t('auth.username')}
            type="search"
            dir="auto"
            value={question.username}
            onChange={event => choose({ username: event.target.value })}
          />
        )}
      </div>
      <Answer question={{ ...question, username: question.username.trim() || own }} />
    </>
  )
}

function Answer({ question }: { question: AccessQuestion }) {
  const { data, error, refetch } = useQuery(explainAccessQuery(question))
  if (data) return <AccessSteps answer={data} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} />
}

/** User and action; or the name of a public share. */
interface AccessQuestion {
  path: string
  action: Effect
  username: string
  link?: string | undefined
}

/** `GET /api/why`, as options of a query. */
const explainAccessQuery = ({ path, action, username, link }: AccessQuestion) => ({
  queryKey: ['explain-access', path, action, username, link],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiJson<WhyAnswer>(
      `/api/why?${new URLSearchParams(link === undefined ? { path, action, user: username } : { link })}`,
      {
        signal,
      },
    ),
})
