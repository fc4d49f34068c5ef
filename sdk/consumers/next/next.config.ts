import type { NextConfig } from 'next';

const config: NextConfig = {
  // Next.js would search the folders above for another project.
  turbopack: { root: import.meta.dirname },
};

export default config;
