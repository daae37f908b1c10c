import { useRef, useState } from 'react'
import type { Group, GroupRequest } from '../../../../shared/api/groups.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { type Problems, problemsOf } from '../../../lib/refusal.ts'
import { useConfirmation } from '../../../ui/current-password.tsx'
import { saveGroup } from '../api/groups.ts'

const NONE: Problems = {}

/** Validates and saves a group over the version that the form shows; holds the errors. */
export function useGroupSaving(id: string | undefined, etag: string) {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(NONE)
  const confirmation = useConfirmation()
  const version = useRef(etag)

  /** @returns the group as stored, `undefined` when it was not saved */
  const save = async (fields: GroupRequest): Promise<Group | undefined> => {
    if (fields.name === '') {
      setProblems({ name: t('tokens.labelMissing') })
      return undefined
    }
    setProblems(NONE)
    setBusy(true)
    try {
      const saved = await saveGroup(id, { ...fields, current_password: confirmation.password }, version.current)
      version.current = saved.etag
      return saved.value
    } catch (error) {
      if (confirmation.takes(error)) return undefined
      const found = refusalsOf(error)
      if (found) setProblems(found)
      else notify('error', errorText(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, problems, confirmation, clear: () => setProblems(NONE), save }
}

/** The server's error, at its field; `undefined` when it names no field. */
function refusalsOf(error: unknown): Problems | undefined {
  if (error instanceof ApiError && error.status === 409) return { name: t('groups.nameTaken') }
  const found = problemsOf(error)
  return found?.name === undefined ? found : { name: t('fields.usernameBad') }
}
