import { useRef } from 'react'
import { useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DetailsContent } from '../details/content.tsx'
import { SubjectPicture, subjectName } from '../details/heading.tsx'
import { type Subject, subjectOf } from '../details/subject.ts'

/** The details where there is no room for them beside the listing. */
export default function InfoPrompt({ item }: PromptProps['info']) {
  const close = useRef<HTMLButtonElement>(null)
  const chosen = subjectOf(useActionContext())
  const subject: Subject | undefined = item ? { about: 'item', item } : chosen
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
      <SubjectPicture subject={subject} />
      <DetailsContent subject={subject} />
    </Dialog>
  )
}
