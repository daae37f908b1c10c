import type { WhyAnswer, WhyCheck, WhyRights, WhyStep } from '../../../shared/api/explain-access.ts'
import type { Rule } from '../../../shared/api/users.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatList } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { Check, X } from '../../ui/icons.ts'
import styles from './explain-access.module.css'

const CHECK_LABELS = {
  place: 'explainAccess.place',
  permission: 'permissions.title',
  rule: 'settings.rules',
  file: 'kinds.file',
  link: 'details.link',
  mode: 'explainAccess.mode',
  share: 'shares.link',
} as const satisfies Record<WhyCheck, MessageKey>

const DECIDERS = {
  global: 'explainAccess.ruleGlobal',
  own: 'explainAccess.ruleOwn',
  owner: 'explainAccess.ruleOwner',
  hidden: 'explainAccess.hidden',
  none: 'rules.unmatched',
} as const satisfies Record<Exclude<NonNullable<WhyStep['by']>, 'group'>, MessageKey>

/** The verdict and its steps, up to the first refusal. */
export function AccessSteps({ answer: { allowed, steps } }: { answer: WhyAnswer }) {
  return (
    <div role="status">
      <p className={styles.verdict} data-allowed={allowed || undefined}>
        {t(allowed ? 'explainAccess.allowed' : 'explainAccess.refused')}
      </p>
      <ol className={styles.steps}>
        {steps.map(step => (
          <Step key={step.check} step={step} />
        ))}
      </ol>
    </div>
  )
}

function Step({ step }: { step: WhyStep }) {
  const { check, ok, leads, rule, rights } = step
  return (
    <li className={styles.step}>
      <span
        className={styles.mark}
        data-ok={ok || undefined}
        role="img"
        aria-label={t(ok ? 'common.yes' : 'common.no')}
      >
        {ok ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
      </span>
      <span>
        <strong className={styles.check}>{t(CHECK_LABELS[check])}</strong>
        {reasonsOf(step).map(reason => (
          <span key={reason} className={styles.reason}>
            {reason}
          </span>
        ))}
        {leads !== undefined && <bdi className={styles.reason}>{shownName(leads)}</bdi>}
        {rule && <code className={styles.rule}>{patternOf(rule)}</code>}
        {rights && <Rights rights={rights} />}
      </span>
    </li>
  )
}

/** The operating system's error on the item, and how to fix it. */
function Rights({ rights: { path, mode, owner, server, line } }: { rights: WhyRights }) {
  return (
    <>
      <bdi className={styles.reason}>{shownName(path)}</bdi>
      <span className={styles.reason}>{t('explainAccess.owner', { owner: accountText(owner), mode })}</span>
      {server && <span className={styles.reason}>{t('explainAccess.server', { server: accountText(server) })}</span>}
      <span className={styles.reason}>{t(line === undefined ? 'explainAccess.ask' : 'explainAccess.mend')}</span>
      {line !== undefined && (
        <code className={styles.rule} dir="ltr">
          {line}
        </code>
      )}
    </>
  )
}

const accountText = ({ id, name }: WhyRights['owner']) => (name === undefined ? `${id}` : `${name} (${id})`)

function reasonsOf({ ok, check, place, missing = [], given = [], by, group, code }: WhyStep): string[] {
  const decided = by === undefined ? [] : [by === 'group' ? ruleOf(group) : t(DECIDERS[by])]
  const refused = ok || code === undefined ? [] : [refusalText(check, code)]
  const where = place ? placeTexts(place) : []
  return [...where, ...missing.map(name => t(`permissions.${name}`)), ...given.map(givenText), ...decided, ...refused]
}

function placeTexts({ kind, path, owner, readOnly }: NonNullable<WhyStep['place']>): string[] {
  const name = shownName(nameOf(path as FilePath))
  if (kind === 'mount')
    return [t('explainAccess.inMount', { name }), ...(readOnly ? [t('explainAccess.readOnly')] : [])]
  return [owner === undefined ? name : t('explainAccess.sharedBy', { name, owner })]
}

const ruleOf = (group: WhyStep['group']) => t('explainAccess.ruleGroup', { name: group?.name ?? '' })

/** A permission that groups give; the user may have it as well. In a mount, without groups, it is given to the user. */
function givenText({ permission: name, own, groups, inherited }: NonNullable<WhyStep['given']>[number]): string {
  const permission = t(`permissions.${name}`)
  if (inherited && !own && groups.length === 0) return t('explainAccess.inherited', { permission })
  if (groups.length === 0) return t('explainAccess.givenToUser', { permission })
  return t('explainAccess.givenBy', { permission, names: formatList(groups.map(group => group.name)) })
}

/** Any other code has the same meaning as in the header of a refused request. */
function refusalText(check: WhyCheck, code: string): string {
  if (code === 'link_paused') return t('settings.linkPaused')
  if (check === 'share') return t('files.reasonGone')
  return errorText(new ApiError(code === 'not_found' ? 404 : 403, '', code))
}

const patternOf = ({ regex, path, regexp }: Rule) => (regex ? (regexp?.raw ?? '') : path)
