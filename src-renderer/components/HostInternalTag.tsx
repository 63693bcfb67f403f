/** Marks a session that the host keeps for itself. */
export function HostInternalTag() {
  return (
    <span className="tag" title="No conversation: the host keeps this session for work of its own">
      host-internal
    </span>
  );
}
