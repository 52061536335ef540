! The program of halo_mpi.c in Fortran, on a grid of two axes, with the same words.
program halo
  use mpi
  implicit none
  integer :: dims(2), bytes, exchanges, warmup, i, rank, grid, error
  logical :: periodic(2)
  character, allocatable :: out(:), in(:, :)
  double precision :: begin
  dims = axes()
  periodic = argument(2) /= 0
  bytes = argument(3)
  exchanges = argument(4)
  warmup = argument(5)
  call MPI_Init(error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, .true., grid, error)
  call MPI_Comm_rank(grid, rank, error)
  allocate(out(bytes), in(bytes, 4))
  out = char(0)
  begin = 0
  do i = 1 - warmup, exchanges
    if (i == 1) then
      call MPI_Barrier(grid, error)
      begin = MPI_Wtime()
    end if
    call exchange()
  end do
  call MPI_Barrier(grid, error)
  if (rank == 0) print '(f0.6)', MPI_Wtime() - begin
  call MPI_Comm_free(grid, error)
  call MPI_Finalize(error)

contains

  integer function argument(number)
    integer, intent(in) :: number
    character(20) :: word
    call get_command_argument(number, word)
    read (word, *) argument
  end function

  function axes()
    integer :: axes(2), cut
    character(20) :: word
    call get_command_argument(1, word)
    cut = index(word, 'x')
    word(cut:cut) = ' '
    read (word, *) axes
  end function

  subroutine exchange()
    integer :: axis, down, up, requests(8)
    do axis = 0, 1
      call MPI_Cart_shift(grid, axis, 1, down, up, error)
      call MPI_Irecv(in(:, 2*axis + 1), bytes, MPI_CHARACTER, down, 0, grid, requests(4*axis + 1), error)
      call MPI_Irecv(in(:, 2*axis + 2), bytes, MPI_CHARACTER, up, 1, grid, requests(4*axis + 2), error)
      call MPI_Isend(out, bytes, MPI_CHARACTER, up, 0, grid, requests(4*axis + 3), error)
      call MPI_Isend(out, bytes, MPI_CHARACTER, down, 1, grid, requests(4*axis + 4), error)
    end do
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, error)
  end subroutine
end program
