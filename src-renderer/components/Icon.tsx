const paths = {
  overview: 'M3 10.5a7 7 0 0 1 14 0M10 10.5l3.2-3.4M5.5 14.5h9',
  sessions: 'M3.5 5h13M3.5 10h13M3.5 15h8',
  memory: 'M5 3.5h7.5L15 6v10.5H5zM8 8h4M8 11h4M8 14h2',
  recall: 'M9 4a5 5 0 1 1 0 10a5 5 0 0 1 0-10M12.7 12.7l3.8 3.8M7 9h4M9 7v4',
  search: 'M9 4a5 5 0 1 1 0 10a5 5 0 0 1 0-10M12.7 12.7l3.8 3.8',
  pin: 'M7.5 3.5h5M8.5 3.5v5L6 11.5h8l-2.5-3v-5M10 11.5v5',
  jobs: 'M10 3.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M10 6.6V10l2.5 1.7',
  pause: 'M7 5v10M13 5v10',
  play: 'M6.5 4.5v11l8.5-5.5z',
  help: 'M7.5 7.6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.7M10 14.2v.3',
  theme: 'M10 3.5a6.5 6.5 0 1 0 0 13zM10 3.5a6.5 6.5 0 0 1 0 13',
  back: 'M11.5 5 6.5 10l5 5',
  open: 'M8.5 5l5 5-5 5',
  first: 'M13.5 5l-5 5 5 5M6 5v10',
  last: 'M6.5 5l5 5-5 5M14 5v10',
  down: 'M5 8l5 5 5-5',
} as const;

export type IconName = keyof typeof paths;

/** Line icons on a grid of 20; always beside or inside something that has a name. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" className="icon">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
