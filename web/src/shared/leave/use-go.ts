import { useContext } from 'react'
import { useNavigate } from 'react-router'
import { LeaveGateContext } from './LeaveGate.tsx'

/** Goes to an address of this site as a link to it does: the page that is left may ask first. */
export function useGo(): (to: string) => void {
  const navigate = useNavigate()
  const holds = useContext(LeaveGateContext)
  return (to) => {
    if (!holds.current.at(-1)?.address(to)) void navigate(to)
  }
}
