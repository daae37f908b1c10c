import { useId, useState } from 'react'
import { useQuery } from '../../../lib/query.ts'
import { TextField } from '../../../ui/field.tsx'
import { usersQuery } from '../api/users.ts'

/** Names that are offered at a time. */
const MOST_OFFERED = 20

export interface UserFieldProps {
  label: string
  /** Receives the user with exactly the typed name, if there is one. */
  onChange: (user: { id: number } | undefined) => void
  onEnter: () => void
}

/** A field for the name of a user, which offers those that fit. */
export function UserField({ label, onChange, onEnter }: UserFieldProps) {
  const { data: users = [] } = useQuery(usersQuery)
  const [text, setText] = useState('')
  const list = useId()
  const wanted = text.trim().toLowerCase()
  const fitting = users.filter(({ username }) => username.toLowerCase().includes(wanted)).slice(0, MOST_OFFERED)
  const change = (typed: string) => {
    setText(typed)
    onChange(users.find(({ username }) => username === typed.trim()))
  }
  return (
    <div>
      <TextField
        label={label}
        list={list}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        value={text}
        onChange={event => change(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          // The form around it would be saved.
          event.preventDefault()
          onEnter()
        }}
      />
      <datalist id={list}>
        {fitting.map(({ id, username }) => (
          <option key={id} value={username} />
        ))}
      </datalist>
    </div>
  )
}
