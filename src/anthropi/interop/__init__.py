"""Exchange of data with other libraries. Each file imports its library on demand."""
