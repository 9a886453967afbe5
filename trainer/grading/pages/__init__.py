"""What is made of grades: pages, tables, files for other programs, what is told meanwhile."""
